// A file of its own, because the worker that measures clones would load zod with the schema of a profile.
/** Number of bands of the envelope of a voice: 62.5 Hz each, from 0 to 8000 Hz. */
export const envelopeBands = 128
