import { expect, it } from 'vitest'
import { readTokens } from '../../recognisers/sherpa/hotwords.ts'
import { toKeywords } from './keywords.ts'

// Some tokens of sherpa-onnx-kws-zipformer-gigaspeech-3.3M-2024-01-01, in their order.
const names =
  '<blk> <sos/eos> <unk> ▁A HE ▁HE VI LE ▁J OM ER ▁C TER ▁JA ▁COM ▁COMP AR ▁ S Y U R E A I T V H J O M P C L X'
const tokens = readTokens(
  names
    .split(' ')
    .map((name, id) => `${name} ${id}\n`)
    .join(''),
)

it('divides phrases as byte pair encoding does, with threshold and number', () => {
  const keywords = toKeywords(['Hey Jarvis', 'hey, computer!'], tokens, 0.5)
  expect(keywords).toBe('▁HE Y ▁JA R VI S #0.2500 @0\n▁HE Y ▁COMP U TER #0.2500 @1')
})

it('lowers the threshold for a higher sensitivity', () => {
  expect(toKeywords(['hey'], tokens, 1)).toBe('▁HE Y #0.0625 @0')
  expect(toKeywords(['hey'], tokens, 0)).toBe('▁HE Y #1.0000 @0')
})

it('writes phrases that are spelt alike once', () => {
  expect(toKeywords(['hey', 'Hey!', 'alexa'], tokens, 0.5)).toBe(
    '▁HE Y #0.2500 @0\n▁A LE X A #0.2500 @2',
  )
})

it.each(['hey 7', 'größe', '!?'])('rejects %j, which it cannot spell', (phrase) => {
  expect(() => toKeywords([phrase], tokens, 0.5)).toThrow(`cannot spell "${phrase}"`)
})
