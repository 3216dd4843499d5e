/** The present, as an argument: tests decide what time it is. Millisecond precision, as everywhere in Matchbook. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
