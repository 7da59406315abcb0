import { setTimeout as wait } from 'node:timers/promises'
import {
  conversation,
  openForTurns,
  responses,
} from '@parlando/test-support/local-service/five-turns'
import { expectOneTranscript } from '@parlando/test-support/local-service/one-transcript'
import { useTestApp } from '@parlando/test-support/local-service/test-app'
import { describe, expect, it } from 'vitest'
import {
  type ClientProgram,
  type PythonClient,
  pythonClients,
  startProgram,
  versionsOf,
  writeTurn,
} from './python/python-clients.ts'

const testApp = useTestApp()
const installLimitMs = 1_200_000
/** How much of a response is heard before its interruption. */
const heardMs = 1500

const spokenText =
  'The harbour lay still. Two boats came in with the tide, and nobody had seen them before.'
const spokenSeconds = 5.9
/** Which services a client uses: those of the OpenAI API, and those of the hosted service. */
const speechOf = {
  openai: ['openai'],
  livekit: ['hosted', 'openai'],
  pipecat: ['hosted', 'openai'],
}
const recognitionOf = { openai: ['openai'], livekit: ['hosted', 'openai'], pipecat: ['openai'] }

const texts = (program: ClientProgram, type: string, fact: string) =>
  program.reports.filter((report) => report.type === type).map((report) => report[fact])
const problems = (program: ClientProgram) =>
  program.reports.filter(({ type }) => type === 'problem')
const log = (client: PythonClient, figures: object) =>
  console.log(`${versionsOf(client)}: ${JSON.stringify(figures)}`)

describe.each(pythonClients)('the Python client %s', (client) => {
  it(
    'holds a conversation of five turns with a tool and an interruption',
    async () => {
      const { port, recogniser, asked } = await openForTurns(testApp)
      const url = `http://127.0.0.1:${port}`
      const program = await startProgram(client, 'converse', url, await writeTurn())
      await program.next('ready')
      const say = async (text: string) => {
        recogniser.utterance = { text }
        program.say()
        await program.next('played')
      }
      for (const text of ['hello', 'light']) {
        await say(text)
        await program.next('silent')
      }
      await say('count')
      await wait(heardMs)
      for (const text of ['stop', 'bye']) {
        await say(text)
        await program.next('silent')
      }
      await program.end()
      expect(problems(program)).toEqual([])
      // Before the conversation are the instructions.
      expect((asked() as unknown[]).slice(-conversation.length)).toMatchObject(conversation)
      const said = texts(program, 'said', 'text') as string[]
      expect(said).toEqual(['Hello.', 'It is on.', expect.stringMatching(/^One/), 'Good.', 'Bye.'])
      expect(said[2]!.length).toBeLessThan(responses['count']!.length / 2)
      expectOneTranscript(program.reports)
      log(client, { firstAudioMs: texts(program, 'played', 'afterMs') })
    },
    installLimitMs,
  )

  it.each(speechOf[client])(
    'streams the speech of %s',
    async (service) => {
      const { port } = await openForTurns(testApp)
      const program = await startProgram(client, 'speak', `http://127.0.0.1:${port}`, service)
      const spoken = await program.next('spoken')
      await program.end()
      expect(problems(program)).toEqual([])
      expect(spoken['seconds']).toBeCloseTo(spokenSeconds, 0)
      if (service === 'hosted') expect(spoken['words']).toBe(spokenText)
      log(client, { service, firstAudioMs: spoken['firstMs'] })
    },
    installLimitMs,
  )

  it.each(recognitionOf[client])(
    'streams the recognition of %s',
    async (service) => {
      const { port, recogniser } = await openForTurns(testApp)
      const url = `http://127.0.0.1:${port}`
      const program = await startProgram(client, 'transcribe', url, await writeTurn(), service)
      for (const text of ['good morning', 'is anybody there']) {
        recogniser.utterance = { text }
        program.say()
        expect(await program.next('interim')).toMatchObject({ text })
        expect(await program.next('final')).toMatchObject({ text })
      }
      await program.end()
      expect(problems(program)).toEqual([])
      log(client, { service, finalMs: texts(program, 'final', 'afterMs') })
    },
    installLimitMs,
  )
})
