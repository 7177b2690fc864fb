// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Stops the start because of an invalid {@code flexpool.*} property. Names keys, values and rules. */
public final class RefusedConfiguration extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient List<String> given;

    RefusedConfiguration(String problems, List<String> given, @Nullable Throwable cause) {
        super(problems, cause);
        this.given = List.copyOf(given);
    }

    /** The properties, one per line, if the problem itself does not name their origin. */
    List<String> given() {
        return given;
    }
}
