// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.sql.NClob;
import org.jspecify.annotations.NullUnmarked;

/** A large text in national characters; see {@link LeasedClob}. */
@NullUnmarked
final class LeasedNClob extends LeasedClob<NClob> implements NClob {
    LeasedNClob(NClob target, LeasedConnection connection) {
        super(target, connection);
    }
}
