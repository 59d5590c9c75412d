"""What in a problem and a solution speaks for an error? One file a kind of evidence; each is found by being here."""
