export interface Job {
  readonly id: string;
  readonly kind: string;
  readonly payload: unknown;
  readonly attempts: number;
}

/** A job as operators see it, without its payload. */
export interface StuckJob extends Omit<Job, "payload"> {
  readonly lastError: string | null;
  readonly createDate: Date;
  /** Null when it was given up. */
  readonly nextAttemptDate: Date | null;
}

export interface JobCounts {
  readonly kind: string;
  readonly waiting: number;
  readonly stuck: number;
  readonly givenUp: number;
}
