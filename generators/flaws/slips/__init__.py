"""Which slips does a person make when computing? One file each, registered by `slip`."""
