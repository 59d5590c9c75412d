"""The engines that judge solutions, one module each."""
