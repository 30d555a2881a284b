"""The grammar behind the demo corpus: German sentences with their one English translation.

Read bottom up: `german`, `english` and `numbers` know word forms; `nouns`, `verbs`, `adjectives`,
`names`, `places` and `times` are the lexicon; `noun_phrases` and `clauses` put words in order in
both languages at once; `frames` says who may do what to what; `statements`, `aspects`,
`relations`, `questions`, `conditions`, `complex_sentences` and `figures` are the sentence
patterns; `corpus` draws and splits.
"""
