import type { PhraseLimits } from '../engines/engine.ts'

/** The models choose between quality and wait: the longer the first phrase, the better it sounds and the later. */
export const models: ReadonlyMap<string, PhraseLimits> = new Map([
  ['svc-tts-2', { firstCharacters: 36, laterCharacters: 80 }],
  ['svc-tts-1.5-max', { firstCharacters: 36, laterCharacters: 80 }],
  ['svc-tts-2-flash', { firstCharacters: 10, laterCharacters: 50 }],
])
