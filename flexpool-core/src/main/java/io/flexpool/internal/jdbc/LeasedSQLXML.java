// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;
import java.sql.SQLException;
import java.sql.SQLXML;
import javax.xml.transform.Result;
import javax.xml.transform.Source;
import org.jspecify.annotations.NullUnmarked;

/**
 * An SQLXML value of a lease. Like a {@link LeasedBlob}, it ends with the lease. Sources and results are the driver's,
 * because the application chose their class; the streams that they read and write end with the lease too.
 */
@NullUnmarked
final class LeasedSQLXML extends LeasedValue<SQLXML> implements SQLXML {
    LeasedSQLXML(SQLXML target, LeasedConnection connection) {
        super(target, connection);
    }

    /** Does nothing after the lease, because drivers free it through the connection. */
    @Override
    public void free() throws SQLException {
        if (!connection.ended()) {
            target.free();
        }
    }

    @Override
    public InputStream getBinaryStream() throws SQLException {
        return LeasedStreams.out(open().getBinaryStream(), connection);
    }

    @Override
    public OutputStream setBinaryStream() throws SQLException {
        return LeasedStreams.out(open().setBinaryStream(), connection);
    }

    @Override
    public Reader getCharacterStream() throws SQLException {
        return LeasedStreams.out(open().getCharacterStream(), connection);
    }

    @Override
    public Writer setCharacterStream() throws SQLException {
        return LeasedStreams.out(open().setCharacterStream(), connection);
    }

    @Override
    public String getString() throws SQLException {
        return open().getString();
    }

    @Override
    public void setString(String text) throws SQLException {
        open().setString(text);
    }

    @Override
    public <T extends Source> T getSource(Class<T> type) throws SQLException {
        return LeasedSources.out(open().getSource(type), connection);
    }

    @Override
    public <T extends Result> T setResult(Class<T> type) throws SQLException {
        return LeasedSources.out(open().setResult(type), connection);
    }
}
