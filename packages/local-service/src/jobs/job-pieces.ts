/** The names of the pieces of a job in its store. Those of a text begin with its number. */

/** What the names of the pieces of all texts begin with. */
export const itemNumberStarts = '0123456789'
export const itemsPiece = 'items'
export const progressPiece = 'progress'
export const resultPiece = (item: number) => `${item}-result`
export const segmentPiece = (item: number, segment: number) => `${segmentsPrefix(item)}${segment}`
export const segmentsPrefix = (item: number) => `${item}-segment-`
export const audioPiece = (item: number, piece: number) => `${audioPrefix(item)}${piece}`
export const audioPrefix = (item: number) => `${item}-audio-`
export const timestampsPiece = (item: number) => `${item}-timestamps`
