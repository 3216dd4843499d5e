/** The current time, as an argument, so that tests can set it. Millisecond precision, as everywhere in Matchbook. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
