import { expect, it } from 'vitest'
import { measureInThread } from './measuring-thread.ts'

function element(id: number[], ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  const size = Buffer.alloc(8)
  size.writeBigUInt64BE(BigInt(body.length))
  size[0] = 1
  return Buffer.concat([Buffer.from(id), size, body])
}

/** A WEBM file of one-byte Opus packets. Each decodes to 0.06 s of audio in 255 channels, 3 MB. */
function webmOf(packets: number): Buffer {
  const facts = Buffer.from('OpusHead\x01\xff\0\0\x80\xbb\0\0\0\0\xff\x01\0', 'latin1')
  const opusHead = Buffer.concat([facts, Buffer.alloc(255)])
  const track = [
    element([0xd7], Buffer.of(1)),
    element([0x83], Buffer.of(2)),
    element([0x86], Buffer.from('A_OPUS')),
    element([0x63, 0xa2], opusHead),
  ]
  const block = Buffer.of(0xa3, 0x85, 0x81, 0, 0, 0, 0x18)
  const cluster = element([0x1f, 0x43, 0xb6, 0x75], Buffer.concat(Array(packets).fill(block)))
  const tracks = element([0x16, 0x54, 0xae, 0x6b], element([0xae], ...track))
  return Buffer.concat([
    element([0x1a, 0x45, 0xdf, 0xa3]),
    element([0x18, 0x53, 0x80, 0x67], tracks, cluster),
  ])
}

it('rejects a recording that takes gigabytes of memory outside the heap', async () => {
  const request = { samples: [webmOf(1000)], removeBackgroundNoise: false }
  // A busy machine takes longer than the limit of the service.
  const measuring = measureInThread(request, new AbortController().signal, 110_000)
  await expect(measuring).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: expect.stringMatching(/^voiceSamples: .*takes too much memory; convert them to WAV$/),
  })
})
