// Lower bounds: work that every decoder of these bytes has to do.
const newline = 0x0a

// This bound starts from existing strings; creating them is not measured.
const texts = new WeakMap()

export const bounds = [
  {
    name: 'memcpy',
    run({ bytes, chunkBytes, pieces, spans }, onAudio) {
      for (const piece of pieces) {
        let at = piece.indexOf(newline)
        while (at !== -1) at = piece.indexOf(newline, at + 1)
      }
      for (const { start } of spans) {
        const audio = Buffer.allocUnsafe(chunkBytes)
        bytes.copy(audio, 0, start, start + chunkBytes)
        onAudio(audio)
      }
    },
  },
  {
    name: 'slice + base64',
    run({ bytes, spans }, onAudio) {
      for (const { start, end } of spans) {
        onAudio(Buffer.from(bytes.latin1Slice(start, end), 'base64'))
      }
    },
  },
  {
    name: 'base64',
    prepare({ bytes, spans }) {
      texts.set(
        spans,
        spans.map(({ start, end }) => bytes.latin1Slice(start, end)),
      )
    },
    run({ spans }, onAudio) {
      for (const text of texts.get(spans)) onAudio(Buffer.from(text, 'base64'))
    },
  },
]
