// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.io.ByteArrayInputStream;
import java.io.CharArrayReader;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.FilterReader;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.StringReader;
import java.io.Writer;
import org.jspecify.annotations.NullUnmarked;

/**
 * Streams of columns and of large objects, which end with the lease. Drivers read and write through their connection,
 * also when a stream is closed: after the lease, that would run in the next borrower's transaction.
 *
 * <p>The JDK's streams over memory pass unchanged: most drivers return one for a column that they hold completely.
 */
@NullUnmarked
final class LeasedStreams {
    private LeasedStreams() {}

    static InputStream out(InputStream stream, LeasedConnection connection) {
        // The class exactly: a subclass may be a driver's.
        return stream == null || stream.getClass() == ByteArrayInputStream.class
                ? stream
                : new Input(stream, connection);
    }

    static OutputStream out(OutputStream stream, LeasedConnection connection) {
        return stream == null ? null : new Output(stream, connection);
    }

    static Reader out(Reader reader, LeasedConnection connection) {
        return reader == null || reader.getClass() == StringReader.class || reader.getClass() == CharArrayReader.class
                ? reader
                : new Characters(reader, connection);
    }

    static Writer out(Writer writer, LeasedConnection connection) {
        return writer == null ? null : new WrittenCharacters(writer, connection);
    }

    private static void check(LeasedConnection connection) throws IOException {
        if (connection.ended()) {
            throw new IOException("Connection is closed");
        }
    }

    private static final class Input extends FilterInputStream {
        private final LeasedConnection connection;

        Input(InputStream target, LeasedConnection connection) {
            super(target);
            this.connection = connection;
        }

        @Override
        public int read() throws IOException {
            check(connection);
            return in.read();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            check(connection);
            return in.read(bytes, offset, length);
        }

        @Override
        public long skip(long count) throws IOException {
            check(connection);
            return in.skip(count);
        }

        @Override
        public int available() throws IOException {
            check(connection);
            return in.available();
        }

        /** Without effect after the lease, because it may not throw. */
        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized") // the target locks
        public void mark(int limit) {
            if (!connection.ended()) {
                in.mark(limit);
            }
        }

        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized") // the target locks
        public void reset() throws IOException {
            check(connection);
            in.reset();
        }

        @Override
        public void close() throws IOException {
            if (!connection.ended()) {
                in.close();
            }
        }
    }

    private static final class Characters extends FilterReader {
        private final LeasedConnection connection;

        Characters(Reader target, LeasedConnection connection) {
            super(target);
            this.connection = connection;
        }

        @Override
        public int read() throws IOException {
            check(connection);
            return in.read();
        }

        @Override
        public int read(char[] letters, int offset, int length) throws IOException {
            check(connection);
            return in.read(letters, offset, length);
        }

        @Override
        public long skip(long count) throws IOException {
            check(connection);
            return in.skip(count);
        }

        @Override
        public boolean ready() throws IOException {
            check(connection);
            return in.ready();
        }

        @Override
        public void mark(int limit) throws IOException {
            check(connection);
            in.mark(limit);
        }

        @Override
        public void reset() throws IOException {
            check(connection);
            in.reset();
        }

        @Override
        public void close() throws IOException {
            if (!connection.ended()) {
                in.close();
            }
        }
    }

    /** A close writes the remaining data, so a first close after the lease is refused: data would be lost. */
    private static final class Output extends FilterOutputStream {
        private final LeasedConnection connection;
        private boolean closed;

        Output(OutputStream target, LeasedConnection connection) {
            super(target);
            this.connection = connection;
        }

        @Override
        public void write(int value) throws IOException {
            check(connection);
            out.write(value);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            check(connection);
            out.write(bytes, offset, length);
        }

        @Override
        public void flush() throws IOException {
            check(connection);
            out.flush();
        }

        @Override
        public void close() throws IOException {
            if (!closed) {
                check(connection);
                closed = true;
                out.close();
            }
        }
    }

    /** As {@link Output}, for characters. */
    private static final class WrittenCharacters extends FilterWriter {
        private final LeasedConnection connection;
        private boolean closed;

        WrittenCharacters(Writer target, LeasedConnection connection) {
            super(target);
            this.connection = connection;
        }

        @Override
        public void write(int letter) throws IOException {
            check(connection);
            out.write(letter);
        }

        @Override
        public void write(char[] letters, int offset, int length) throws IOException {
            check(connection);
            out.write(letters, offset, length);
        }

        @Override
        public void write(String text, int offset, int length) throws IOException {
            check(connection);
            out.write(text, offset, length);
        }

        @Override
        public void flush() throws IOException {
            check(connection);
            out.flush();
        }

        @Override
        public void close() throws IOException {
            if (!closed) {
                check(connection);
                closed = true;
                out.close();
            }
        }
    }
}
