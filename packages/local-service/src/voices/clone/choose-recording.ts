import type { VoiceCloneBody } from '@parlando/core/wire'
import type { RunningEngines } from '../../engines/engine-registry.ts'
import { listImitators } from '../imitator.ts'
import { maySpeak } from '../spoken-languages.ts'
import type { NewRecording } from '../store/clones.ts'
import type { VoiceList } from '../voice-list.ts'
import type { SampleRecording } from './measure-samples.ts'

/** The recording that the service keeps, or why it keeps none, as the end of a sentence. */
interface RecordingChoice {
  recording?: NewRecording
  problem?: string
}

/** The part of a request that decides. */
export type RecordedVoice = Pick<VoiceCloneBody, 'keepRecording' | 'voiceSamples'> & {
  langCode: string
}

/**
 * Keeps a recording only if the caller asks for it and a model can use it.
 * @param body with the language of the clone instead of `AUTO`.
 */
export function chooseRecording(
  body: RecordedVoice,
  recorded: SampleRecording | undefined,
  { voiceList, engines }: { voiceList: VoiceList; engines: RunningEngines },
): RecordingChoice {
  const { keepRecording, voiceSamples, langCode } = body
  if (!keepRecording || !recorded) return {}
  if (!voiceList.clones.keepsRecordings) return { problem: 'the service has no data folder' }
  const installed = listImitators(engines)
  if (installed.length === 0) {
    return { problem: 'no model that speaks like a recording is installed, such as Pocket TTS' }
  }
  const imitators = installed.filter(({ languages }) => maySpeak(languages, langCode))
  if (imitators.length === 0) {
    return { problem: `the installed model does not speak ${langCode}` }
  }
  const { wav, isWhole, sample } = recorded
  const text = (isWhole && voiceSamples[sample]?.transcription?.trim()) || undefined
  if (text === undefined && imitators.every(({ needsText }) => needsText)) {
    return {
      problem:
        'the installed model needs a recording of at most 10 s, with its words in transcription',
    }
  }
  return { recording: { wav, text } }
}
