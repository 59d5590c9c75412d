"""Human review of candidates: a durable decision log, the queue, reviewer agreement and the sealed result."""
