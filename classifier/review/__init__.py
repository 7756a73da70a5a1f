"""The review loop: the ledger of decisions and the sheet that people edit."""
