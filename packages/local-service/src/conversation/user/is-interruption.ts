import { hasSeveralWords } from '@parlando/core/text'
import type { TurnTranscript, UserTurn } from './user-turn.ts'

/** A cough takes 300 to 400 ms, and a brief *oh* 540. Only a tenth of spoken words, such as *eight*, are shorter. */
const minVoiceMs = 600
/** The confidence of pocketsphinx in words that it understands in coughs is below. */
const sureConfidence = 0.8
/** In words that it understands in breaths, which are longer, it is below 0.01. */
const guessConfidence = 0.02

/**
 * Words that interrupt by themselves, in the languages of the recognisers. A user who says *stop* must not have to repeat
 * it, no matter how briefly it was said.
 */
const interruptingWords = new Set(
  [
    'stop wait no yes quiet enough cancel help',
    'stopp halt warte warten moment nein ja ruhe genug abbrechen hilfe',
    'para alto espera sí basta silencio cancela ayuda',
    'arrête arrêtez attends attendez non oui assez annule aide',
    'fermo ferma fermati aspetta sì zitto zitta silenzio basta annulla aiuto',
    '止めて 止まって やめて 待って いいえ はい',
    '停 停下 停止 等等 不 不要 是 取消',
  ].flatMap((words) => words.normalize('NFC').split(' ')),
)

/**
 * Whether what was said during a response interrupts it. Recognisers take a cough for a short word, and listeners say *oh*
 * or *mm* without wanting to speak.
 */
export function isInterruption(
  { voiceMs }: Pick<UserTurn, 'voiceMs'>,
  { text, confidence }: TurnTranscript,
): boolean {
  if (hasSeveralWords(text)) return true
  // Some models write an accent as a character of its own.
  const word = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}]/gu, '')
  if (word === '') return false
  if (interruptingWords.has(word)) return true
  if (confidence !== undefined && confidence >= sureConfidence) return true
  const isGuess = confidence !== undefined && confidence < guessConfidence
  return voiceMs >= minVoiceMs && !isGuess
}
