"""What a pre-trained network is used for: layer roles, prompts, retrieval, and a snippet."""
