/* A channel is gone when the process that made it has ended. */
chan shown = [1] of {chan};
proctype Owner() { chan own = [1] of {byte}; shown!own }
init { chan c; run Owner(); shown?c; c!1 }
