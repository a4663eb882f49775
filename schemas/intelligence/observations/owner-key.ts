const OWNER = /^(?:customer|user):[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether a text names an owner of telemetry: `customer:<UUID>` or `user:<UUID>`, in lower case. */
export const isOwnerKey = (given: unknown): given is string => typeof given === 'string' && OWNER.test(given)
