"""Learns one kind of weights from its examples: `python3 train.py KIND EXAMPLES FILE [FILE]`.

`result` and `answerable` write their weights; `reader`, `meaning` and `bearing` write weights, and those of the cross-validation.
The same bytes for the same examples on one machine. Shapes: weights by the name of the feature, and an intercept; log-odds are their sum
over the features.
"""

import json
import pathlib
import sys

import numpy as np
from scipy.optimize import minimize
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

# The variance of the weights' normal prior, over examples of mean weight 1: strong, because questions are few.
VARIANCE = 0.001
# The same for whether a page bears a claim, as scikit-learn has it: the inverse of the prior's strength.
BEARING_C = 0.03
# The same for what is read by its meaning.
MEANING_C = 0.2
# Whoever graded read the sentences: a question of theirs counts as several claims that were cut to pieces.
GRADED_COUNT = 5.0
# Claims of pages are longer than questions, and most of their words are told: few of them count beside what was asked.
CLAIMS_FOR_YES_OR_NO = 0.025
BEARS_ON_IT = 2
FOLDS = 5
SEED = 0
# How much each set counts in a row of weights. Joint weights cost the studies a third of their questions.
SHARES = {
    "effect": {"studies": 1.0, "wice": 0.1, "cloze": 0.1},
    "general": {"wice": 0.2, "cloze": 1.0},
    "collection": {"wice": 0.2, "cloze": 1.0},
}
# Over many sources, where a sentence stands in its own says little of how it compares with those of others.
LEFT_OUT = {"collection": {"position", "outcomeBefore", "after"}}
# Features that may count in either direction; all others can only speak for a sentence.
EITHER_WAY = {"position", "length"}
# A word or a pair of the result score stands in so many sentences at least; smaller weights are left out.
LEAST_SENTENCES = 4
MOST_WORDS = 4_000
LEAST_WEIGHT = 0.05


def read(path):
    with open(path, encoding="utf8") as lines:
        return [json.loads(line) for line in lines]


def with_pairs(words):
    return words + [f"{one} {next}" for one, next in zip(words, words[1:])]


def result_weights(examples):
    vectorizer = CountVectorizer(analyzer=with_pairs, min_df=LEAST_SENTENCES, max_features=MOST_WORDS, binary=True)
    matrix = vectorizer.fit_transform([example["words"] for example in examples])
    model = LogisticRegression(C=0.3, max_iter=1_000, class_weight="balanced")
    model.fit(matrix, [example["label"] for example in examples])
    named = zip(vectorizer.get_feature_names_out(), model.coef_[0])
    weights = {name: round(float(weight), 2) for name, weight in named if abs(weight) >= LEAST_WEIGHT}
    return {"intercept": round(float(model.intercept_[0]), 4), "weights": weights}


def fit(sets, names, left_out=frozenset()):
    """Logistic regression with a normal prior and signs that cannot turn; each question counts the same within its set."""
    rows, labels, counts = [], [], []
    for questions, share in sets:
        for question in questions:
            rows.append(question["features"])
            labels.append(question["labels"])
            counts.append(np.full(len(question["labels"]), share / len(questions)))
    x, y, w = np.vstack(rows), np.concatenate(labels), np.concatenate(counts)
    w = w / w.mean()
    mean = (x * w[:, None]).sum(0) / w.sum()
    spread = np.sqrt((((x - mean) ** 2) * w[:, None]).sum(0) / w.sum()) + 1e-9
    z = (x - mean) / spread
    z[:, (spread < 1e-6) | np.isin(names, list(left_out))] = 0
    sign = 2 * y - 1

    def loss(theta):
        margin = sign * (z @ theta[:-1] + theta[-1])
        wrong = 1 / (1 + np.exp(np.clip(margin, -30, 30)))
        value = (w * np.logaddexp(0, -margin)).sum() + 0.5 / VARIANCE * (theta[:-1] ** 2).sum()
        pull = -(w * sign * wrong)
        return value, np.r_[z.T @ pull + theta[:-1] / VARIANCE, pull.sum()]

    bounds = [(None, None) if name in EITHER_WAY else (0, None) for name in names] + [(None, None)]
    found = minimize(loss, np.zeros(len(names) + 1), jac=True, bounds=bounds, method="L-BFGS-B", options={"maxiter": 300})
    weights = found.x[:-1] / spread
    return {
        "intercept": round(float(found.x[-1] - (weights * mean).sum()), 4),
        "weights": {name: round(float(weight), 4) for name, weight in zip(names, weights) if abs(weight) >= 5e-5},
    }


def reader_weights(questions, names, left_out=frozenset()):
    def row(name, shares):
        sets = [
            ([q for q in questions if q["set"] == kind and q["group"] not in left_out], share)
            for kind, share in shares.items()
        ]
        return fit([(kept, share) for kept, share in sets if kept], names, LEFT_OUT.get(name, frozenset()))

    return {name: row(name, shares) for name, shares in SHARES.items()}


def drawn_folds(groups):
    """Which group is in which fold."""
    ordered = sorted(groups)
    folds = np.random.RandomState(SEED).permutation(len(ordered)) % FOLDS
    return {group: int(fold) for group, fold in zip(ordered, folds)}


def cross_validation(questions, names):
    """Weights of the effect row that have not seen an article, for measuring on the articles that the others have."""
    fold_of = drawn_folds({question["group"] for question in questions if question["set"] == "studies"})
    weights = [
        reader_weights(questions, names, {article for article, own in fold_of.items() if own == fold})["effect"]
        for fold in range(FOLDS)
    ]
    return {"folds": fold_of, "weights": weights}


def answerable_weights(header, *examples):
    model = LogisticRegression(C=0.1, max_iter=1_000)
    return standardised(model, header["features"], examples, [example["answerable"] for example in examples])


def standardised(model, names, examples, labels, counts=None):
    """The weights of a model that is fitted to standardised features, with the scales taken into them."""
    x = np.array([example["features"] for example in examples], float)
    mean, spread = x.mean(0), x.std(0) + 1e-9
    model.fit((x - mean) / spread, labels, sample_weight=counts)
    weights = model.coef_[0] / spread
    return {
        "intercept": round(float(model.intercept_[0] - (weights * mean).sum()), 4),
        "weights": {name: round(float(weight), 4) for name, weight in zip(names, weights)},
    }


def bearing_weights(names, claims):
    """Halfway, by its logarithm, between how seldom borne claims are here and as many of them as of the others."""
    labels = np.array([claim["borne"] for claim in claims])
    borne = labels.sum()
    weight = np.sqrt((len(labels) - borne) / max(borne, 1))
    model = LogisticRegression(C=BEARING_C, max_iter=1_000, class_weight={0: 1.0, 1: weight})
    return standardised(model, names, claims, labels)


def bearing_cross_validation(names, claims):
    """Weights that have not seen a page, for measuring on the claims that the others have learned from."""
    fold_of = drawn_folds({claim["group"] for claim in claims})
    weights = [
        bearing_weights(names, [claim for claim in claims if fold_of[claim["group"]] != fold])
        for fold in range(FOLDS)
    ]
    return {"folds": {claim["id"]: fold_of[claim["group"]] for claim in claims}, "weights": weights}


def meaning_weights(names, examples):
    """Whether a sentence bears on the answer, and whether a collection has one (and to a question for yes or no)."""
    sentences = [example for example in examples if example["of"] == "sentence"]
    borne = [example["grade"] >= BEARS_ON_IT for example in sentences]
    put = [example for example in examples if example["of"] == "answerable"]
    # A claim of a page is a question for yes or no without its verb.
    yes_or_no = [example for example in put if example["from"] == "pages" or example["asksWhether"]]
    return {
        "sentence": standardised(regression(), names["sentence"], sentences, borne),
        "answerable": answered_weights(names["answerable"], put, "features", 1.0),
        "whether": answered_weights(names["whether"], yes_or_no, "whether", CLAIMS_FOR_YES_OR_NO),
    }


def answered_weights(names, examples, which, of_page):
    """As many count that are answered as that are not; a claim put to pages counts `of_page`."""
    answered = np.array([example["answerable"] for example in examples])
    counts = np.array([GRADED_COUNT if example["from"] == "graded" else of_page for example in examples])
    for label in (0, 1):
        counts[answered == label] *= len(answered) / 2 / counts[answered == label].sum()
    rows = [{"features": example[which]} for example in examples]
    return standardised(regression(), names, rows, answered, counts)


def regression():
    return LogisticRegression(C=MEANING_C, max_iter=2_000)


def meaning_cross_validation(names, examples):
    """Weights that have not seen a graded question, for measuring on those that the others have learned from."""
    fold_of = drawn_folds({one["group"] for one in examples if one["of"] == "sentence"})
    weights = [
        meaning_weights(names, [one for one in examples if fold_of.get(one["group"]) != fold])
        for fold in range(FOLDS)
    ]
    return {"folds": fold_of, "weights": weights}


def questions_of(header, *lines):
    """The questions that have an answer, with their features as a matrix."""
    for line in lines:
        labels = np.array(line["labels"])
        if not labels.any():
            continue
        features = np.array(line["features"], float).reshape(len(labels), len(header["features"]))
        yield {**line, "labels": labels, "features": features}


def write(path, value, **layout):
    text = json.dumps(value, sort_keys=True, **layout)
    pathlib.Path(path).write_text(text + "\n", encoding="utf8")


def main(kind, examples, weights, *others):
    lines = read(examples)
    if kind == "result":
        # Thousands of words, one to a line, would be what most of the project's lines are.
        write(weights, result_weights(lines), separators=(",", ":"))
    elif kind == "answerable":
        write(weights, answerable_weights(*lines), indent=1)
    elif kind == "reader":
        names = lines[0]["features"]
        questions = list(questions_of(*lines))
        write(weights, reader_weights(questions, names), indent=1)
        write(*others, cross_validation(questions, names), indent=1)
    elif kind == "meaning":
        names, *examples = lines
        write(weights, meaning_weights(names, examples), indent=1)
        write(*others, meaning_cross_validation(names, examples), indent=1)
    elif kind == "bearing":
        header, *claims = lines
        write(weights, bearing_weights(header["features"], claims), indent=1)
        write(*others, bearing_cross_validation(header["features"], claims), indent=1)
    else:
        raise SystemExit(f"{kind} is none of result, reader, answerable, meaning, bearing")


if __name__ == "__main__":
    main(*sys.argv[1:])
