"""The file formats of judged solutions that can be read, one module each."""
