import type { Hono } from 'hono'
import { library } from '../voices/library.ts'

/** `GET /voices/v1/voices`. */
export function addVoiceRoutes(app: Hono): void {
  app.get('/voices/v1/voices', (context) => {
    const languages = context.req.queries('languages')?.map(toLangCode)
    const voices = library
      .map(({ voice }) => voice)
      .filter(({ langCode }) => !languages || languages.includes(toLangCode(langCode ?? '')))
    return context.json({ voices, totalSize: voices.length })
  })
}

/** `en-US`, `en_us` and `EN_US` are the same language. */
function toLangCode(language: string): string {
  return language.toUpperCase().replace('-', '_')
}
