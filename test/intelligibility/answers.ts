import { readAnswers } from '../../packages/node-red-nodes/src/nodes/ask/answers.ts'

const own = `later: later please | in ten minutes | remind me later
stop: stop it | that is enough | turn it off
again: say it again | once more | repeat that
tea: a cup of tea | some tea please
coffee: a cup of coffee | some coffee please`

/** The answers of two questions: yes or no, and five of a form. */
export const questions = [
  readAnswers({ answers: 'yes-no' }, 'en').answers!,
  readAnswers({ answers: 'own', ownAnswers: own }, 'en').answers!,
]

/** What sounds like an answer, and is none. */
export const nearAnswers: readonly string[] =
  `yesterday, nobody knows, I know the way, the yes men, no one is here, north by northwest, the snow is deep, guess who,
sugar please, of coarse salt, he has a shore house, yes and no, not yet, know your limits, the pleas of the people, ladder,
the latest news, stopover, the shop is closed, against the wind, a cup of sea water, the team is ready, coffin, a gain of ten,
toffee apple, later than we thought, stop the bus at the corner, tee off at nine, repeat after me please, ten minutes ago`
    .split(',')
    .map((sentence) => sentence.trim())
