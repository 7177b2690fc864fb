// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;
import java.sql.Clob;
import java.sql.NClob;
import java.sql.SQLException;
import org.jspecify.annotations.NullUnmarked;

/**
 * A large text of a lease, which ends with the lease as a {@link LeasedBlob} does.
 *
 * @param <T> the type; texts in national characters have a separate one
 */
@NullUnmarked
sealed class LeasedClob<T extends Clob> extends LeasedValue<T> implements Clob {
    LeasedClob(T target, LeasedConnection connection) {
        super(target, connection);
    }

    @Override
    public final long length() throws SQLException {
        return open().length();
    }

    @Override
    public final String getSubString(long position, int length) throws SQLException {
        return open().getSubString(position, length);
    }

    @Override
    public final Reader getCharacterStream() throws SQLException {
        return LeasedStreams.out(open().getCharacterStream(), connection);
    }

    @Override
    public final Reader getCharacterStream(long position, long length) throws SQLException {
        return LeasedStreams.out(open().getCharacterStream(position, length), connection);
    }

    @Override
    public final InputStream getAsciiStream() throws SQLException {
        return LeasedStreams.out(open().getAsciiStream(), connection);
    }

    @Override
    public final long position(String pattern, long start) throws SQLException {
        return open().position(pattern, start);
    }

    @Override
    public final long position(Clob pattern, long start) throws SQLException {
        return open().position(LeasedValues.in(pattern), start);
    }

    @Override
    public final int setString(long position, String text) throws SQLException {
        return open().setString(position, text);
    }

    @Override
    public final int setString(long position, String text, int offset, int length) throws SQLException {
        return open().setString(position, text, offset, length);
    }

    @Override
    public final OutputStream setAsciiStream(long position) throws SQLException {
        return LeasedStreams.out(open().setAsciiStream(position), connection);
    }

    @Override
    public final Writer setCharacterStream(long position) throws SQLException {
        return LeasedStreams.out(open().setCharacterStream(position), connection);
    }

    @Override
    public final void truncate(long length) throws SQLException {
        open().truncate(length);
    }

    /** Without effect after the lease, because drivers free it through the connection. */
    @Override
    public final void free() throws SQLException {
        if (!connection.ended()) {
            target.free();
        }
    }

    /** A large text in national characters; see {@link LeasedClob}. */
    static final class LeasedNClob extends LeasedClob<NClob> implements NClob {
        LeasedNClob(NClob target, LeasedConnection connection) {
            super(target, connection);
        }
    }
}
