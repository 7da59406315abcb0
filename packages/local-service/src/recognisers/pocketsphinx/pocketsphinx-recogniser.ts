import { defineRecogniser } from '../define-recogniser.ts'

/** The recogniser of the system's packages `pocketsphinx` and `pocketsphinx-en-us`, if they are installed. */
export const pocketsphinx = defineRecogniser({
  name: 'pocketsphinx',
  options: {},
  start: () => undefined,
})
