import { speechModelIds } from '@parlando/core/wire'
import {
  chunksOf,
  close,
  closed,
  connect,
  create,
  sendText,
} from '@parlando/test-support/local-service/clients/speech-contexts'
import { speechRequest, useTestApp } from '@parlando/test-support/local-service/test-app'
import { casesToRun } from '@parlando/test-support/vitest/property-runs'
import { expect, it } from 'vitest'

const testApp = useTestApp()
// Readings that depend on the words around a number. The shared tests of the text compare all of them.
const text = 'The PIN is 4071. In St. Louis it is - 5 °C and 12 µg/m³.'
const words =
  'The pin is four zero seven one. In Saint Louis it is minus five degrees Celsius and twelve micrograms per cubic meter.'

interface Result {
  timestampInfo?: {
    wordAlignment: {
      words: string[]
      phoneticDetails?: { phones: { phoneSymbol: string }[] }[]
    }
  }
}

function read(results: readonly Result[]) {
  const alignments = results.flatMap(({ timestampInfo }) => timestampInfo?.wordAlignment ?? [])
  const details = alignments.flatMap(({ phoneticDetails = [] }) => phoneticDetails)
  return {
    words: alignments.flatMap((alignment) => alignment.words).join(' '),
    phones: details.flatMap(({ phones }) => phones.map(({ phoneSymbol }) => phoneSymbol)).join(' '),
  }
}

async function request(path: string, modelId: string, spoken: string) {
  const body = { ...speechRequest, modelId, text: spoken, timestampType: 'WORD' }
  const response = await testApp.post(path, body)
  const lines = (await response.text()).trimEnd().split('\n')
  return read(lines.map((line) => JSON.parse(line)).map((line) => line.result ?? line))
}

async function stream(modelId: string, pieces: readonly string[], settings: object) {
  const client = await connect(testApp)
  client.send(create('a', { modelId, timestampType: 'WORD', ...settings }))
  client.send(...pieces.map((piece) => sendText('a', piece)), close('a'))
  await closed(client, 'a')
  return read(chunksOf(client, 'a') as Result[])
}

it.each(casesToRun(speechModelIds, 1))(
  '%s reads a text the same from every endpoint, letter by letter too',
  async (modelId) => {
    const { phones } = await request('/tts/v1/voice', 'svc-tts-2', words)
    const letters = Array.from(text)
    const readings = [
      await request('/tts/v1/voice', modelId, text),
      await request('/tts/v1/voice:stream', modelId, text),
      await stream(modelId, letters, { bufferCharThreshold: 20 }),
    ]
    for (const reading of readings) {
      expect(reading.phones).toBe(phones)
      expect(reading.words.replaceAll(' °C', '')).toBe(text.replace(' °C', ''))
    }
  },
)
