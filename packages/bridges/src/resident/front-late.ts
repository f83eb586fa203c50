/** The code that a front ends with when the resident process did not take the call in time. Nothing of the client's text was read then. */
export const FRONT_LATE = 53;
