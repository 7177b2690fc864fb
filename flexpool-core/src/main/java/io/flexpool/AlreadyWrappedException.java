// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

/**
 * Thrown if the pool is already wrapped: two wrappers would each hand out the full limit. A separate class, so that
 * frameworks can skip such a pool without hiding other failures of a build.
 */
public final class AlreadyWrappedException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private AlreadyWrappedException(String message) {
        super(message);
    }

    /** The exception for a wrapped pool. Returned as its supertype, so that callers do not load this class. */
    static IllegalStateException of(String pool, String type, String before) {
        return new AlreadyWrappedException(
                pool + ": this " + type + " pool is wrapped already, as '" + before + "': use that wrapper");
    }
}
