// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.io.InputStream;
import java.io.OutputStream;
import java.sql.Blob;
import java.sql.SQLException;
import org.jspecify.annotations.NullUnmarked;

/**
 * A large object of a lease; see {@link LeasedValue}. Drivers read and write it through their connection, so it ends
 * with the lease.
 */
@NullUnmarked
final class LeasedBlob extends LeasedValue<Blob> implements Blob {
    LeasedBlob(Blob target, LeasedConnection connection) {
        super(target, connection);
    }

    @Override
    public long length() throws SQLException {
        return open().length();
    }

    @Override
    public byte[] getBytes(long position, int length) throws SQLException {
        return open().getBytes(position, length);
    }

    @Override
    public InputStream getBinaryStream() throws SQLException {
        return LeasedStreams.out(open().getBinaryStream(), connection);
    }

    @Override
    public InputStream getBinaryStream(long position, long length) throws SQLException {
        return LeasedStreams.out(open().getBinaryStream(position, length), connection);
    }

    @Override
    public long position(byte[] pattern, long start) throws SQLException {
        return open().position(pattern, start);
    }

    @Override
    public long position(Blob pattern, long start) throws SQLException {
        return open().position(LeasedValues.in(pattern), start);
    }

    @Override
    public int setBytes(long position, byte[] bytes) throws SQLException {
        return open().setBytes(position, bytes);
    }

    @Override
    public int setBytes(long position, byte[] bytes, int offset, int length) throws SQLException {
        return open().setBytes(position, bytes, offset, length);
    }

    @Override
    public OutputStream setBinaryStream(long position) throws SQLException {
        return LeasedStreams.out(open().setBinaryStream(position), connection);
    }

    @Override
    public void truncate(long length) throws SQLException {
        open().truncate(length);
    }

    /** Without effect after the lease, because drivers free it through the connection. */
    @Override
    public void free() throws SQLException {
        if (!connection.ended()) {
            target.free();
        }
    }
}
