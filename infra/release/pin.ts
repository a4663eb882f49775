/** Images by digest: a tag may be moved to other content, a digest may not. */

/** Where an image is named: `FROM` of the Dockerfile, `image:` of a compose file. Ours is built here and has no digest. */
const NAMED = /^(\s*(?:FROM|image:)\s+)((?!harrier\b)[a-z0-9][\w./-]*:[\w.-]+)(@sha256:[0-9a-f]{64})?/gm

export const DIGEST = /^sha256:[0-9a-f]{64}$/

/** The images that a file names, each once, without their digests. */
export const imagesOf = (text: string): string[] => [...new Set([...text.matchAll(NAMED)].map(([, , image]) => image!))]

/** The images that a file names by their tag alone. */
export const unpinned = (text: string): string[] => [
  ...new Set([...text.matchAll(NAMED)].flatMap(([, , image, digest]) => (digest === undefined ? [image!] : []))),
]

/**
 * The file with these digests behind the tags of its images, in the place of older ones.
 * @throws Error that names an image without a digest, or with something else
 */
export function pinned(text: string, digests: Readonly<Record<string, string>>): string {
  return text.replace(NAMED, (_, before: string, image: string) => {
    const digest = digests[image] ?? ''
    if (!DIGEST.test(digest)) throw new Error(`${image} has no digest`)
    return `${before}${image}@${digest}`
  })
}
