// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Stops the start: something that {@code flexpool.*} says cannot be. Names keys, values and rules. */
public final class RefusedConfiguration extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient List<String> given;

    RefusedConfiguration(String problems, List<String> given, @Nullable Throwable cause) {
        super(problems, cause);
        this.given = List.copyOf(given);
    }

    /** What was configured, a line each, where the problem itself does not say where it was written. */
    List<String> given() {
        return given;
    }
}
