"""Pictures of ELMo: its two readers, and its layers as each task mixes them."""
