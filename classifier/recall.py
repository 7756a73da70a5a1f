"""Cached results of learning, for commands that do not write the survey."""

from __future__ import annotations

from classifier.files.cache import BuildCache
from classifier.learned import Learned, learning_key, recall_learned
from classifier.progress import Progress
from classifier.project import Project
from classifier.survey.inputs import Inputs


def recall_or_learn(project: Project, inputs: Inputs, progress: Progress | None = None) -> Learned:
    """Return the results of learning from the build cache; learn if they are not in it."""
    cached = recall_learned(BuildCache(project.cache_folder), learning_key(project, inputs))
    if cached is not None:
        return cached
    from classifier.learning import learn  # late: scikit-learn takes seconds

    return learn(inputs, progress)
