const OWN = /^reputation (-?[0-3]), accuracy [0-3]$/

/** Whether a comment is one of `items.misp`: its attribute has the type of the entity, whatever form the value has. */
export const isOwn = (comment: string): boolean => OWN.test(comment)

/**
 * What the comment of an attribute of `items.misp` says of its reputation, which MISP has no field for; null for every other
 * comment. It says how bad what is fit for detection is, and nothing else: an attribute that is not stays a sighting, a
 * good reputation is a text like any other, and `to_ids` as it was changed in MISP decides.
 */
export function ownStatement(comment: string, malicious: boolean): { reputation: number } | null {
  const said = OWN.exec(comment)?.[1]
  if (said === undefined || Number(said) > 0) return null
  const reputation = Number(said)
  return reputation < 0 === malicious ? { reputation } : null
}
