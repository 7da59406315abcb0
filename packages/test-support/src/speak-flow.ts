import { type LocalService, startLocalService } from '@parlando/local-service'
import { afterAll, beforeAll } from 'vitest'
import { type CaughtMessage, failureOf, flowAround, notify, wiresBehind } from './flow-harness.ts'
import { keys } from './keys.ts'
import { type LoadedFlow, type Message, useNodeRed } from './node-red.ts'

const apiKey = keys.service

export interface SpeakFlowOptions {
  speak?: object
  service?: object
  baseUrl?: string
  key?: string
}

/** Starts a service and a Node-RED runtime. @returns a function that loads a flow with a speak node for the service. */
export function useSpeak() {
  let service: LocalService
  beforeAll(async () => {
    service = await startLocalService({ apiKey, warmUp: false })
  })
  afterAll(() => service.close())
  const { load, unload } = useNodeRed()
  return {
    unload,
    loadSpeak(options: SpeakFlowOptions = {}): Promise<LoadedFlow> {
      const { baseUrl = service.baseUrl, key = apiKey } = options
      return load(speakFlow(options, baseUrl), { service: { apiKey: key } })
    },
  }
}

function speakFlow({ speak = {}, service = {} }: SpeakFlowOptions, baseUrl: string): object[] {
  return [
    { id: 'service', type: 'parlando-service', location: 'hosted', baseUrl, ...service },
    {
      id: 'speak',
      type: 'parlando-speak',
      z: 'tab',
      service: 'service',
      text: 'payload',
      textType: 'msg',
      voice: 'Clara',
      model: 'svc-tts-2',
      encoding: 'WAV',
      sampleRate: '24000',
      output: 'chunks',
      busy: 'wait',
      wires: wiresBehind,
      ...speak,
    },
    ...flowAround('speak'),
  ]
}

/** Sends a message and waits until the node is done. */
export function speak(flow: LoadedFlow, message: Message): Promise<Message[]> {
  return notify(flow, 'speak', message)
}

/** Sends a message and waits until Catch receives it. */
export function failure(flow: LoadedFlow, message: Message): Promise<CaughtMessage> {
  return failureOf(flow, 'speak', message)
}

export const lastStatus = (flow: LoadedFlow) => flow.statuses('speak').at(-1)
