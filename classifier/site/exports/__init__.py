"""The papers in the formats that other tools read: one entry a paper and nothing else."""
