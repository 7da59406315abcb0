import { foreignScript } from '@parlando/core/text'
import type { ServiceCall, SpeechService } from '../../runtime/speech-service.ts'

export interface ForeignScript {
  /** The language of the voice. */
  language: string
  script: string
}

/** The script that a voice does not speak, and the language of the voice. @returns nothing if it speaks the whole text. */
export async function findForeignScript(
  service: SpeechService,
  { text, language: wanted, voiceId }: { text: string; language?: unknown; voiceId: string },
  call: ServiceCall & { isKept: boolean | undefined },
): Promise<ForeignScript | undefined> {
  // Every voice speaks ASCII, which spares the first text a request.
  const isAscii = !/[^\p{ASCII}]/u.test(text)
  const known = wanted || isAscii ? wanted : await service.languageOf(voiceId, call)
  const language = String(known || '')
  const script = language ? foreignScript(text, language) : undefined
  return script ? { language, script } : undefined
}
