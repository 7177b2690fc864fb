// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

/**
 * This very pool is wrapped already, by whomever: two wrappers would each allow all of it. A class of its own, so that
 * frameworks can leave such a pool alone without taking every other failure of a build for it.
 */
public final class AlreadyWrappedException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    AlreadyWrappedException(String message) {
        super(message);
    }
}
