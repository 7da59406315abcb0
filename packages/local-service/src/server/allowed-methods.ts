import type { Context, Hono } from 'hono'

// The name of a value in the context of a request.
const allowedKey = 'allowedMethods'

/** Notes for each request which methods its path has. Call it when the app has all its paths. */
export function noteAllowedMethods(app: Hono): void {
  const methodsOf = new Map<string, Set<string>>()
  for (const { path, method } of app.routes) {
    // Middleware is for all methods.
    if (method === 'ALL') continue
    const methods = methodsOf.get(path) ?? new Set()
    methodsOf.set(path, methods.add(method))
    if (method === 'GET') methods.add('HEAD')
  }
  // The metrics show the last pattern that matches, so the most specific one comes last.
  const routes = [...methodsOf].sort(([first], [second]) => first.length - second.length)
  for (const [route, methods] of routes) {
    app.all(route, async (context: Context, next) => {
      context.set(allowedKey, [...allowedMethods(context), ...methods])
      await next()
    })
  }
}

/** The methods of a path that has no handler for the method of the request; empty if there is no such path. */
export function allowedMethods(context: Context): readonly string[] {
  return context.get(allowedKey) ?? []
}
