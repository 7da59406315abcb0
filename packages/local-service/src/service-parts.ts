import { openRedisStore } from '@parlando/store'
import { createEncoderPool, type EncoderPool } from './audio/encoding/encoder-pool.ts'
import { type CloseStack, openAll } from './concurrency/close-stack.ts'
import { isRedisAddress } from './config/option.ts'
import { findWebRtc } from './conversation/calls/find-webrtc.ts'
import { type Calls, createCalls } from './conversation/calls/running-calls.ts'
import {
  closeEngines,
  engineOptions,
  type RunningEngines,
  startEngines,
} from './engines/engine-registry.ts'
import type { Jobs } from './jobs/jobs.ts'
import { openJobs } from './jobs/open-jobs.ts'
import type { EndOfTurnModel, SpeechDetector } from './listening/turns/detectors.ts'
import { startSilero } from './listening/turns/silero/silero-detector.ts'
import { openSmartTurn } from './listening/turns/smart-turn/smart-turn.ts'
import { findBuiltInData } from './machine/built-in-data.ts'
import {
  followInstalledModels,
  type InstalledModels,
} from './model-management/follow-installed-models.ts'
import type { ResolvedServiceOptions } from './options.ts'
import { pickOptions } from './part-registry/part-definition.ts'
import {
  closeRecognisers,
  type RunningRecognisers,
  recogniserOptions,
  startRecognisers,
} from './recognisers/recogniser-registry.ts'
import { readModelAliases } from './requests/model-names.ts'
import { isOnlyLocal } from './server/open-port.ts'
import { SharedSound } from './speaking/shared-sound.ts'
import { type OpenVoiceList, openVoiceList } from './voices/voice-list.ts'
import {
  closeWakeWordDetectors,
  type RunningWakeWordDetectors,
  startWakeWordDetectors,
  wakeWordOptions,
} from './wake-words/wake-word-registry.ts'

/** Everything in a service that speaks and listens. */
export interface ServiceParts {
  engines: RunningEngines
  recognisers: RunningRecognisers
  wakeWords: RunningWakeWordDetectors
  /** Absent if there is no model, or it cannot be used. */
  speechDetector: SpeechDetector | undefined
  endOfTurnModel: EndOfTurnModel | undefined
  voiceList: OpenVoiceList
  /** The voice that speaks if a request names an unknown one. */
  defaultVoice: string | undefined
  modelAliases: ReadonlyMap<string, string>
  encoders: EncoderPool
  /** Absent if services share no Redis server. */
  sharedSound: SharedSound | undefined
  jobs: Jobs
  /** They end before the parts are closed. */
  calls: Calls
  /** Absent if this service does not let its callers install models. */
  openModelManager: InstalledModels['openModelManager']
  close(): Promise<void>
}

export interface PartReports {
  /** Receives what the service can work without. */
  warn(message: string): void
  /** Receives the failures of this service, rather than of a request. */
  onFailure(error: unknown): void
}

/** Starts everything that speaks and listens. @throws {Error} if a part that is not optional does not start; then none runs. */
export function startServiceParts(
  options: ResolvedServiceOptions,
  { warn, onFailure }: PartReports,
): Promise<ServiceParts> {
  const { host, enginesFolder, dataFolder, sherpaModels, store, maxVoices, defaultVoice } = options
  return openAll(async (stack) => {
    const models = await startModels(options, stack, warn)
    const { engines, recognisers, wakeWords, installed } = models
    const speechDetector = stack.add(
      await startSilero({ sherpaModels, enginesFolder, dataFolder, warn }),
    )
    const weights = findBuiltInData('smart-turn/weights.safetensors')
    const endOfTurnModel = stack.add(openSmartTurn({ weights, warn }))
    const voiceList = stack.add(
      await openVoiceList({ dataFolder, store, maxVoices, engines, warn }),
    )
    const sharedSound = stack.add(await openSharedSound(store, warn))
    const findModule = () => findWebRtc([enginesFolder, dataFolder])
    const calls = createCalls({ findWebRtc: findModule, isLocal: isOnlyLocal(host), warn })
    const encoders = createEncoderPool()
    const modelAliases = readModelAliases(options.modelAliases, options)
    const speaking = { engines, voiceList, encoders, modelAliases, defaultVoice }
    const jobs = stack.add(
      await openJobs({ store, dataFolder, service: speaking, warn, onFailure }),
    )
    const openModelManager = installed?.openModelManager
    return {
      ...speaking,
      recognisers,
      wakeWords,
      speechDetector,
      endOfTurnModel,
      sharedSound,
      jobs,
      calls,
      openModelManager,
      close: () => stack.close(),
    }
  })
}

/** Starts what has models, and follows which of them are installed. */
async function startModels(
  options: ResolvedServiceOptions,
  stack: CloseStack,
  warn: (message: string) => void,
) {
  const { enginesFolder, dataFolder, voicesMirror, host, allowOrigins } = options
  const startOptions = {
    ...pickOptions({ options: engineOptions }, options),
    ...pickOptions({ options: recogniserOptions }, options),
    ...pickOptions({ options: wakeWordOptions }, options),
    maxWaitingPhrases: options.maxWaitingPhrases,
    enginesFolder,
    dataFolder,
    warn,
  }
  const engines = await startEngines(startOptions)
  stack.defer(() => closeEngines(engines))
  const recognisers = await startRecognisers(startOptions)
  stack.defer(() => closeRecognisers(recognisers))
  const wakeWords = await startWakeWordDetectors(startOptions)
  stack.defer(() => closeWakeWordDetectors(wakeWords))
  const running = { engines, recognisers, wakeWords }
  const access = { host, allowOrigins, voicesMirror }
  const installed = await followInstalledModels({ ...startOptions, ...running, ...access })
  stack.add(installed)
  return { ...running, installed }
}

/** Keeps the sound of requests where services share a Redis server. */
async function openSharedSound(
  store: string | undefined,
  warn: (message: string) => void,
): Promise<SharedSound | undefined> {
  if (store === undefined || !isRedisAddress(store)) return undefined
  const onProblem = (reason: string) => warn(`No sound is kept: ${reason}`)
  return new SharedSound(await openRedisStore({ url: store, onProblem }))
}
