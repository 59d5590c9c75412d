"""Upload of a folder of datasets to the Hugging Face hub, with the user's token."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError

if TYPE_CHECKING:
    from pathlib import Path


def require_token() -> str:
    """Return the token that `HF_TOKEN` or `hf auth login` gives.

    Raises:
        HarnessError: there is no token, or huggingface_hub is not installed.
    """
    try:
        import huggingface_hub  # comes with the extra that brings datasets
    except ImportError:
        raise HarnessError(
            f"--push-to-hub: needs huggingface_hub; install it by: {runnable('make install-sft')}"
        ) from None
    token: str | None = huggingface_hub.get_token()
    if not token:
        raise HarnessError(
            f"--push-to-hub: needs a token with write access; set HF_TOKEN or run: {runnable('hf auth login')}"
        )
    return token


def push(folder: Path, repository: str, token: str) -> None:
    """Upload the files of a folder as a private dataset repository, which is created if it does not exist.

    Raises:
        HarnessError: the hub refuses the upload, or cannot be reached.
    """
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    api = HfApi(token=token)
    try:
        api.create_repo(repository, repo_type="dataset", private=True, exist_ok=True)
        api.upload_folder(
            repo_id=repository, repo_type="dataset", folder_path=folder, commit_message="Datasets of oracle-factory"
        )
    except (HfHubHTTPError, HFValidationError, OSError) as error:
        message = f"--push-to-hub {repository}: {type(error).__name__}: {str(error)[:300]}; the files are in {folder}"
        raise HarnessError(message) from None
