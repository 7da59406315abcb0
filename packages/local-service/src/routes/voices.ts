import type { Hono } from 'hono'
import type { Catalogue } from '../voices/catalogue.ts'

/** `GET /voices/v1/voices`. */
export function addVoiceRoutes(app: Hono, { catalogue }: { catalogue: Catalogue }): void {
  app.get('/voices/v1/voices', (context) => {
    const languages = context.req.queries('languages')?.map(toLangCode)
    const voices = catalogue
      .list()
      .filter(({ langCode }) => !languages || languages.includes(toLangCode(langCode ?? '')))
    return context.json({ voices, totalSize: voices.length })
  })
}

/** `en-US`, `en_us` and `EN_US` are the same language. */
function toLangCode(language: string): string {
  return language.toUpperCase().replace('-', '_')
}
