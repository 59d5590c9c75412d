"""The engines that judge solutions, one module each: symbolic, model, hybrid, endpoint."""
