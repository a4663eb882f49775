/** ISO 8601 in UTC with milliseconds. @throws RangeError for what is no moment */
export const instant = (ms: number): string => new Date(ms).toISOString()
