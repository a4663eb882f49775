/** A browser in so far as single sign-on needs one: redirects, cookies, and the form of a sign-in page. */

const MAX_STEPS = 12

/** What is entered on a page of the issuer; null: nothing, the way ends there. */
export type Form = { action: string; fields: Record<string, string> } | null

/**
 * Goes from the start of single sign-on to the sign-in page of the console, and resolves to what that page is told in its
 * address. Each host has cookies of its own.
 * @param enter called with each page that is shown on the way
 */
export async function signOn(platform: string, enter: (page: string) => Form = () => null) {
  const jar = new Map<string, Map<string, string>>()

  async function load(url: URL, form: Form): Promise<Response> {
    const cookies = jar.get(url.host) ?? new Map<string, string>()
    jar.set(url.host, cookies)
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form === null ? {} : { method: 'POST', body: new URLSearchParams(form.fields) }),
    })
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
      cookies.set(name!, value!)
    }
    return response
  }

  let url = new URL('/auth/v2/oidc/start', platform)
  let form: Form = null
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const response = await load(url, form)
    const location = response.headers.get('location')
    form = location === null ? enter(await response.text()) : null
    if (location === null && form === null) throw new Error(`${url} leads nowhere: ${response.status}`)
    url = new URL(location ?? form!.action, url)
    if (url.pathname === '/sign-in') return Object.fromEntries(new URLSearchParams(url.hash.slice(1)))
  }
  throw new Error(`no page of the console after ${MAX_STEPS} steps: ${url}`)
}
