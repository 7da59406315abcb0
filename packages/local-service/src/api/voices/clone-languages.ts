import type { RunningEngines } from '../../engines/engine-registry.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { baseVoices } from '../../voices/base-voices.ts'
import { listImitators } from '../../voices/imitator.ts'
import { languagesOfEngineVoice, maySpeak } from '../../voices/spoken-languages.ts'

/** An imprint speaks the languages of its base voice, even if other engines speak more. */
export function imprintLanguages(engines: RunningEngines): string[] {
  const isBase = (name: string) => baseVoices.some((base) => base.engine === name)
  return [...engines.values()].flatMap(({ engine }) =>
    isBase(engine.name) ? engine.voices.flatMap(languagesOfEngineVoice) : [],
  )
}

/** The languages of clones that a model speaks like their recordings. */
export function imitatedLanguages(engines: RunningEngines): string[] {
  return listImitators(engines).flatMap(({ languages }) => languages)
}

/** @param problem why the service keeps no recording, although the request asks for it. */
export function rejectUnspokenLanguage(
  langCode: string,
  spoken: readonly string[],
  problem?: string,
): void {
  if (langCode === 'AUTO' || maySpeak(spoken, langCode)) return
  const known = [...new Set(spoken)].join(', ')
  const reason = problem ? `. The service keeps no recording, because ${problem}` : ''
  const message = `langCode: clones cannot speak ${langCode}; they can speak ${known}${reason}`
  throw new ServiceError('UNIMPLEMENTED', message)
}
