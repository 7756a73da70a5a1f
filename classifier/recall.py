"""Get cached results of learning, for commands that do not write the survey."""

from __future__ import annotations

from classifier.files.cache import BuildCache
from classifier.labelling.labels import PaperLabels
from classifier.labelling.trained import Trained, select_trained
from classifier.learned import Learned, learning_key, recall_learned, recall_trained
from classifier.papers.paper import Paper
from classifier.progress import Progress
from classifier.project import Project
from classifier.survey.inputs import Inputs


def recall_or_learn(project: Project, inputs: Inputs, progress: Progress | None = None) -> Learned:
    """Return the results of learning from the build cache; if they are not in it, learn."""
    cached = recall_learned(BuildCache(project.cache_folder), learning_key(project, inputs))
    if cached is not None:
        return cached
    from classifier.learning import learn  # late: scikit-learn takes seconds

    return learn(inputs, progress)


def recall_all(
    project: Project, inputs: Inputs, *, with_step: bool = False
) -> tuple[Learned, Trained] | None:
    """Return the results of learning and the trained classifier from the build cache, or None.

    with_step: whether to read the last step of the classifier too.
    """
    cache, key = BuildCache(project.cache_folder), learning_key(project, inputs)
    learned = recall_learned(cache, key)
    trained = recall_trained(cache, key, inputs.taxonomy, with_step=with_step) if learned else None
    return (learned, trained) if learned and trained else None


def recall_or_train(
    project: Project, inputs: Inputs, paper: Paper, progress: Progress | None = None
) -> tuple[PaperLabels, Trained]:
    """Return the labels of `paper` and the classifier that predicted them.

    If they are not in the cache, the classifier is trained; it then has the features of this paper
    only.
    """
    if cached := recall_all(project, inputs):
        learned, trained = cached
        return next(label for label in learned.machine if label.paper_id == paper.id), trained
    from classifier.learning import train  # late: scikit-learn takes seconds

    classifier = train(inputs, progress)
    return classifier.label([paper])[0], select_trained(classifier, [paper])
